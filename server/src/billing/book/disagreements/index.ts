import { azure } from './azure.ts'
import { bedrock } from './bedrock.ts'
import { bedrockRegions } from './bedrock-regions.ts'
import type { Disagreement } from './disagreement.ts'
import { hosts } from './hosts.ts'
import { makers } from './makers.ts'

/**
 * Text models whose price the catalogue and the second source (LiteLLM's table of November 2026) state differently. No price is
 * read from here: a test compares the two sources with this list, and docs/prices.md is made from it.
 */
export const disagreements: readonly Disagreement[] = [...makers, ...azure, ...bedrock, ...bedrockRegions, ...hosts]
