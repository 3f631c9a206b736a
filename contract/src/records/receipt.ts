import { z } from 'zod'

/**
 * One line of a receipt: `quantity × price` quota before the model and group ratio.
 * `price` is exact decimal text: in ratios, relative to the model's input price; in dollars, dollars per million pieces
 * (tokens, milliseconds of `duration`, characters, pages …).
 */
export const receiptLine = z.object({
  item: z.string(),
  quantity: z.int(),
  price: z.string(),
})

/** Calls of one of the provider's own tools; `price` is currency per thousand of them, as exact decimal text. */
export const receiptTool = z.object({
  tool: z.string(),
  quantity: z.int(),
  price: z.string(),
})

/**
 * A part of an answer that no table declares, charged at the dearest reading that is known until an operator declares it. `kind` is
 * `usage` (a member of the usage), `cache` (a lifetime of cache writes), `geo` (a place), `tool`, `tier`, `model` (another model than
 * was asked for), or another reason why a price is not certain. `place` is the dialect, the maker of the model, or where the answer names
 * a model; `quantity` the tokens or calls that were charged.
 */
export const provisionalReason = z.object({
  kind: z.string(),
  place: z.string(),
  name: z.string(),
  value: z.union([z.number(), z.string()]),
  quantity: z.int().optional(),
})
export type ProvisionalReason = z.output<typeof provisionalReason>

/** The price of the counts of one model, and the counts. */
export const receiptPart = z.object({
  mode: z.enum(['tokens', 'call']),
  lines: z.array(receiptLine),
  /** Unit of the lines' prices; ratios if absent. In dollars, `model_ratio` is the quota units of a millionth of a dollar. */
  basis: z.literal('dollars').optional(),
  model_ratio: z.string(),
  model_price: z.string().optional(),
  /** The price list and its version, or `operator`; absent in receipts of earlier versions. */
  price_version: z.string().optional(),
  /** Prompt tokens above which these prices hold, where the model costs more for long prompts and this one was long. */
  context_above: z.int().optional(),
  /** The service tier that answered, where it was not the standard one; `own` where the lines have prices of the tier itself. */
  tier: z.object({ name: z.string(), ratio: z.string(), own: z.literal(true).optional() }).optional(),
  /** The place that the provider ran the call in, where the answer states one that may cost more: a further factor of the tokens. */
  place: z.object({ name: z.string(), ratio: z.string() }).optional(),
  /** Absent where none was used. */
  tools: z.array(receiptTool).optional(),
  /**
   * Choices of a task that may have a price of their own; the factors of those that are declared are in `model_price`. Absent for none.
   */
  versions: z.array(z.string()).optional(),
  /** How many answers the lines are the sum of, each at the price of the length of its own prompt (a batch); absent for one. */
  answers: z.int().optional(),
})
export type ReceiptPart = z.output<typeof receiptPart>

/**
 * Usage of another model within the answer. `source` is the part of the answer that states it: `iterations` (a fallback, an advisor),
 * the name of a tool that has a model of its own, or `batch`. `asked` is true for the requested model.
 */
export const receiptModel = receiptPart.extend({
  source: z.string(),
  model: z.string(),
  asked: z.literal(true).optional(),
})
export type ReceiptModel = z.output<typeof receiptModel>

/**
 * The frozen price of a request; recomputing it gives the charge.
 * `quota = round(Σ quantity × price × model_ratio × group_ratio)`, or `round(Σ quantity × price × model_price ×
 * quota_per_unit × group_ratio)` for a call, which has one line, `call`, or none when the upstream did nothing.
 * A tier or a place is a further factor of the tokens, never of calls. Tools add Σ quantity × price ÷ 1000 × quota_per_unit ×
 * group_ratio before the rounding, and so do the same sums of each of `models`. All ratios are exact decimal text.
 */
export const receipt = receiptPart.extend({
  group_ratio: z.string(),
  quota_per_unit: z.string(),
  quota: z.int(),
  /** True when tokens were counted here because the upstream reported none that can be. */
  estimated: z.boolean(),
  /** The model whose price the lines have, as the provider names it, where another one answered than was asked for. */
  model: z.string().optional(),
  /** Models of other prices that worked on the answer; absent where there were none. */
  models: z.array(receiptModel).optional(),
  /**
   * Figures that the upstream reported and that were not billed, because no answer to this request can have used so much:
   * `prompt_tokens`, `completion_tokens`, `search_units` or a tool's name. Absent where everything was plausible.
   */
  disputed: z.record(z.string(), z.number()).optional(),
  /**
   * Hold of the call: quota units, its time (milliseconds since 1970) and its duration in milliseconds until the call ended. `quota` is
   * 0 if the process ended in between; absent if the call had no hold, and in receipts of earlier versions.
   */
  held: z.object({ quota: z.int(), at: z.int(), ms: z.int() }).optional(),
  /** Why the charge is provisional: what the answer used that has no price yet. Absent where everything has one. */
  provisional: z.array(provisionalReason).optional(),
  /** Its call, where the client asked what it costs: then the receipt can be fetched, signed. Absent otherwise. */
  call: z
    .object({
      model: z.string(),
      path: z.string(),
      /** Milliseconds since 1970. */
      started_at: z.int(),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
    })
    .optional(),
})
export type Receipt = z.output<typeof receipt>
