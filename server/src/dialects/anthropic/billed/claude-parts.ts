import type { Usage } from '../../../billing/usage.ts'
import type { JsonObject } from '../../conversation/json.ts'
import { tierAmong } from '../../tools/tools-used.ts'
import { countsOf, placeOf } from '../answer.ts'
import { readIterations } from './iterations.ts'

/**
 * The usage with what gateways to Claude state of it in OpenAI's dialect, under Anthropic's names: the place, the speed, and iterations, which
 * are what is billed. `value` is the usage object as it came.
 */
export const withClaudeParts = (usage: Usage, value: JsonObject): Usage => {
  const { iterations, inference_geo: geo, speed } = value
  if (iterations === undefined && geo === undefined && speed === undefined) return usage
  const tier = tierAmong(speed, usage.tier)
  const read = { ...usage, ...placeOf(value), ...(tier === undefined ? {} : { tier }) }
  const several = iterations === undefined ? undefined : readIterations(value, usage, { countsOf, placeOf })
  if (several === undefined) return read
  const { input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning } = several.counts
  const whole = { ...read, input, cacheRead, cacheWrite, cacheWrite1h, output, reasoning, ...several.extras }
  return several.models === undefined ? whole : { ...whole, models: several.models }
}
