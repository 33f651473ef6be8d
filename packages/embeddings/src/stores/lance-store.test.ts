import { describeVectorStore } from '../testing/store-conformance.ts';
import { openLanceStore } from './lance-store.ts';

describeVectorStore('vectors in LanceDB', openLanceStore);
