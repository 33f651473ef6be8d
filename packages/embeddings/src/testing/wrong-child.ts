// The process of the local model on a machine that computes something else.
process.send?.({ kind: 'ready', known: Float32Array.from({ length: 384 }, (_, at) => Math.sin(at)) });
