import azure from './azure.json' with { type: 'json' }
import bedrock from './bedrock.json' with { type: 'json' }
import bedrockRegions from './bedrock-regions.json' with { type: 'json' }
import { type Disagreement, disagreementTable } from './disagreement.ts'
import hosts from './hosts.json' with { type: 'json' }
import makers from './makers.json' with { type: 'json' }

/**
 * Text models whose price the catalogue and the second source (LiteLLM's table of November 2026) state differently. No price is
 * read from here: a test compares the two sources with this list, and docs/prices.md is made from it.
 */
export const disagreements: readonly Disagreement[] = [makers, azure, bedrock, bedrockRegions, hosts].flatMap(
  (json) => disagreementTable.parse(json).rows,
)
