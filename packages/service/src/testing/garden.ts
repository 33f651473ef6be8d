import type { Files } from './vault-folder.ts';

/** A small vault with something of everything that the operations answer about. */
export const GARDEN: Files = {
  '.obsidian/app.json': '{}',
  '.obsidian/daily-notes.json': '{"folder": "Journal", "format": "YYYY-MM-DD"}',
  'Start here.md': `---
aliases: [Home, Index]
type: map
tags: [meta]
---
# Start here

- [[Tomatoes]] and [[Beds/Bed 1#Soil|the soil]]
- ![[Compost]]
- [[Nowhere]]
`,
  'Tomatoes.md': `---
type: plant
tags: [plants/fruit, summer]
status: active
sown: 2026-03-12
height: 1.8
---
# Tomatoes

Grow them under glass. Blight comes with wet leaves.

## Care

Water at the root, never on the leaves.

### Feeding

Every second week with comfrey. ^feeding

## Tasks

- [ ] prune

## Varieties

Black Krim and Sungold.

## Tasks

- [x] label the pots
`,
  'Beds/Bed 1.md': `---
type: bed
status: resting
size: 12
---
# Bed 1

## Soil

Heavy clay, dug over with [[Compost]] in autumn.
`,
  'Beds/Bed 2.md': '# Bed 2\n\nSandy. Carrots and [[Tomatoes|tomato]] plants. #plants/root\n',
  'Compost.md': '# Compost\n\nTurn it every month. Worms like it. See [[Tomatoes]].\n\n#soil\n',
  'People/Ada.md': '---\ntitle: Ada Byron\naliases: Countess\n---\nShe lent me the spade.\n',
  'Journal/2026-11-29.md': '# Sunday\n\nDug over [[Bed 1]]. Frost at night.\n',
  'C#.md': '# About the language\n\nNot a heading link.\n',
  'Plans, 2026.md': 'A name with a comma.\n',
  '[x].md': 'A name with brackets.\n',
  'Broken.md': '---\ntitle: [unclosed\nstatus: active\n---\n# Broken\n\nThe word zeppelin stands here.\n',
  'Twins/Same.md': 'One of two.\n',
  'Others/Same.md': 'The other of two.\n',
  '日本語ノート.md': '# 東京の庭\n\n東京都庭園美術館の庭について。\n',
};
