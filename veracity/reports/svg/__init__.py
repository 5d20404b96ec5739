"""Charts as inline SVG that follow the page's colours, light or dark."""
