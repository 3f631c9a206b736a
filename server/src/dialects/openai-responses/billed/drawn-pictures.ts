import { drawnTokens } from '../../../billing/tables/picture-tokens.ts'
import { type NamedUsage, noUsage, type Usage } from '../../../billing/usage.ts'
import { usageFromOpenai } from '../../../billing/usage-openai.ts'
import { shortText } from '../../../lib/bounded-text.ts'
import { isObject, type JsonObject, membersOf, objectsOf, textOf } from '../../conversation/json.ts'

/** The tool, its place among the names of models, and how its items begin. */
const tool = 'image_generation'
const longestName = 120

/** The model that draws where a request names none (platform.openai.com/docs/api-reference/responses, `tools`). */
export const defaultPictureModel = 'gpt-image-1'

/** The model that draws, which the response repeats of the request; empty where it repeats no tools. */
const modelOf = (tools: unknown): string => {
  const listed = objectsOf(tools)
  const named = listed.find(({ type, model }) => type === tool && textOf(model) !== '')
  if (named !== undefined) return shortText(textOf(named.model), longestName)
  return listed.some(({ type }) => type === tool) ? defaultPictureModel : ''
}

/** Tokens as `tool_usage.image_gen` states them, of partial pictures and edited ones, too; undefined where it states none. */
const statedUsage = (stated: unknown): Usage | undefined => {
  if (!isObject(stated)) return undefined
  const { unknown: _, ...usage } = usageFromOpenai(stated) ?? noUsage
  return usage === noUsage || usage.input + usage.output + Object.keys(usage.more ?? {}).length === 0
    ? undefined
    : usage
}

const isDrawn = ({ type, status }: JsonObject): boolean => type === `${tool}_call` && status !== 'failed'

/** Tokens of unreported pictures, by their size and quality; undefined for none. */
const countedUsage = (items: readonly JsonObject[]): Usage | undefined => {
  const tokens = items.reduce(
    (sum, { size, quality }) => sum + drawnTokens({ count: 1, size: textOf(size), quality: textOf(quality) }),
    0,
  )
  return tokens === 0 ? undefined : { ...noUsage, more: { image_output: tokens } }
}

/**
 * Usage of the image model of the tool `image_generation` in a response: as stated by `tool_usage`, which may include pictures that are
 * not in the output, or by the pictures in it. It is billed at the price of that model
 * (developers.openai.com/api/docs/guides/tools-image-generation). undefined where nothing was drawn.
 */
export const drawnPictures = (response: JsonObject): NamedUsage | undefined => {
  const stated = membersOf(response.tool_usage).image_gen
  const items = objectsOf(response.output).filter(isDrawn)
  // A report is complete: pictures that it does not count are free.
  const usage = isObject(stated) ? statedUsage(stated) : countedUsage(items)
  if (usage === undefined) return undefined
  return { place: tool, model: modelOf(response.tools), usage: { ...usage, calls: Math.max(1, items.length) } }
}
