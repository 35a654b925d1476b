"""The README's pictures: real runs of `pagetutor` on a real terminal, drawn as SVG."""
