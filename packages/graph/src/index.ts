// The vault as a graph.
