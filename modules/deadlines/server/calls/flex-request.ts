import { editMembers } from '#server/lib/json/json-edit.ts'
import type { RelayCall } from '#server/relay/call.ts'

/** The member of a request that names its service tier, by the client's dialect. Other dialects have no flex tier. */
const tierMembers: ReadonlyMap<string, string> = new Map([
  ['openai-chat', 'service_tier'],
  ['openai-responses', 'service_tier'],
  ['gemini', 'serviceTier'],
])

/** True where a call may be made in the flex tier: it names no tier itself, and its dialect can. */
export const mayFlex = ({ dialect, body, route }: Pick<RelayCall, 'dialect' | 'body' | 'route'>): boolean =>
  dialect !== undefined &&
  route === undefined &&
  tierMembers.has(dialect.name) &&
  body.service_tier === undefined &&
  body.serviceTier === undefined

/** The same call in the flex tier. */
export const inFlexTier = (call: RelayCall): RelayCall => {
  const member = tierMembers.get(call.dialect?.name ?? '') ?? 'service_tier'
  return {
    ...call,
    raw: editMembers(call.raw, { [member]: '"flex"' }),
    body: { ...call.body, [member]: 'flex' },
    text: undefined,
    plain: undefined,
    triesFlex: true,
  }
}
