import { ownMember } from '@tollgate/contract/own-member'
import type { SayForm } from './form-messages.ts'
import { readObject } from './json-text.ts'

type Kind = { readonly from: number; readonly to: number } | 'whole' | 'flag' | 'breaks' | 'model' | 'contents'

/** Ranges and kinds of members of request bodies, of all dialects. Ranges are those of OpenAI's API reference. */
const known: Readonly<Record<string, Kind>> = {
  temperature: { from: 0, to: 2 },
  top_p: { from: 0, to: 1 },
  presence_penalty: { from: -2, to: 2 },
  frequency_penalty: { from: -2, to: 2 },
  max_tokens: 'whole',
  max_completion_tokens: 'whole',
  max_output_tokens: 'whole',
  top_k: 'whole',
  n: 'whole',
  seed: 'whole',
  top_logprobs: 'whole',
  logprobs: 'flag',
  parallel_tool_calls: 'flag',
  store: 'flag',
  stream: 'breaks',
  stream_options: 'breaks',
  model: 'model',
  messages: 'contents',
  input: 'contents',
  contents: 'contents',
  system: 'contents',
  instructions: 'contents',
  tools: 'contents',
}

/** Members that are offered: those that do no harm. */
export const overrideNames: readonly string[] = [
  ...Object.entries(known).flatMap(([name, kind]) =>
    kind === 'breaks' || kind === 'model' || kind === 'contents' ? [] : [name],
  ),
  'reasoning_effort',
  'service_tier',
  'stop',
  'user',
]

const isNumber = (text: string): boolean => text !== '' && Number.isFinite(Number(text))

/** Warning about overriding this member with this value, as typed; undefined if there is none. */
export const overrideDoubt = (name: string, value: string, say: SayForm): string | undefined => {
  const kind = ownMember(known, name)
  if (kind === undefined || value === 'null') return undefined
  if (kind === 'breaks') return say('overrideBreaks', { name })
  if (kind === 'model') return say('overrideModel')
  if (kind === 'contents') return say('overrideContents', { name })
  if (kind === 'flag') return value === 'true' || value === 'false' ? undefined : say('overrideFlag')
  if (kind === 'whole') return isNumber(value) && Number.isInteger(Number(value)) ? undefined : say('overrideWhole')
  const { from, to } = kind
  return isNumber(value) && Number(value) >= from && Number(value) <= to
    ? undefined
    : say('overrideNumber', { from, to })
}

/** A member of the example before and after; undefined is "not there". */
export interface PreviewLine {
  readonly name: string
  readonly before: string | undefined
  readonly after: string
}

/**
 * Request before and after the overrides, member by member, as the relay puts them into a body; undefined for text that is no object.
 */
export const overridePreview = (
  example: Readonly<Record<string, unknown>>,
  text: string,
): readonly PreviewLine[] | undefined => {
  const override = readObject(text)
  return (
    override &&
    Object.entries({ ...example, ...override }).map(([name, after]) => ({
      name,
      before: JSON.stringify(ownMember(example, name)),
      after: JSON.stringify(after),
    }))
  )
}
