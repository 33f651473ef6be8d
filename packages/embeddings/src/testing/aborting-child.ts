// A process that ends as one does on a processor without the instructions of the model.
process.abort();
