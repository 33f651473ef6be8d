// The process of the local model on a machine that computes something else.
const known = Float32Array.from({ length: 384 }, (_, at) => Math.sin(at));
process.send?.({ kind: 'ready', known, runtime: 'onnxruntime-node' });
