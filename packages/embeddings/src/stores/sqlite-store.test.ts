import { describeVectorStore } from '../testing/store-conformance.ts';
import { openSqliteStore } from './sqlite-store.ts';

describeVectorStore('vectors in SQLite', openSqliteStore);
