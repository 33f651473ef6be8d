import { describeLexicalEngine } from '../testing/engine-conformance.ts';
import { nativeEngine } from './native-engine.ts';

describeLexicalEngine('the engine of packages/native', nativeEngine);
