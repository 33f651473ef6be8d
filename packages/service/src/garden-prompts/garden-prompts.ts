import type { GardenPrompt } from './contract.ts';
import { forage } from './prompts/forage.ts';
import { garden } from './prompts/garden.ts';
import { harvest } from './prompts/harvest.ts';
import { plant } from './prompts/plant.ts';
import { seek } from './prompts/seek.ts';
import { tend } from './prompts/tend.ts';
import { wander } from './prompts/wander.ts';

/** The seven ways to tend a vault. */
export const gardenPrompts: readonly GardenPrompt[] = [forage, plant, harvest, garden, tend, wander, seek];
