import { isIP } from 'node:net'
import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject, membersOf, textIn } from '../../dialects/conversation/json.ts'
import { familyOf, mayRunAnywhere } from '../../dialects/facts/models.ts'
import { memoize } from '../../lib/memoize.ts'
import { isPrivateOrLoopback, plainAddress } from '../../lib/security/client-address.ts'
import type { Adjustment, OutgoingRequest } from '../provider.ts'

/** Names that resolve in private networks alone (RFC 6761, RFC 6762, RFC 8375, and ICANN's `internal`). */
const privateName = /^localhost$|^[^.]+$|\.(localhost|local|internal|lan|home\.arpa|localdomain|svc|cluster\.local)$/

const judged = (baseUrl: string): boolean => {
  const host = plainAddress(URL.parse(baseUrl)?.hostname ?? '').toLowerCase()
  if (host === '') return false
  return isIP(host) === 0 ? privateName.test(host) : isPrivateOrLoopback(host)
}

/** True if an address is of this machine or a private network, where operators run their own engines. */
export const isSelfHosted: (baseUrl: string) => boolean = memoize(1000, judged)

/** Names of the switch in chat templates: Qwen, GLM and Granite the first, DeepSeek and Kimi the second. Templates ignore other names. */
const off = { enable_thinking: false, thinking: false } as const

/** Engines know three efforts (docs.vllm.ai, Reasoning Outputs; docs.sglang.ai, Reasoning Parser). */
const efforts: Readonly<Record<string, string>> = { minimal: 'low', xhigh: 'high', max: 'high' }

const on = { enable_thinking: true, thinking: true } as const

const template = (body: JsonObject, switches: JsonObject): JsonObject => {
  const written = isObject(body.chat_template_kwargs) ? body.chat_template_kwargs : {}
  return { chat_template_kwargs: { ...switches, ...written } }
}

/**
 * Engines switch thinking off in the chat template: `reasoning_effort: none`, with which all dialects say so here, becomes
 * `chat_template_kwargs`. What a client has written there itself stands. llama.cpp reads them in its Messages API, too, and leaves
 * `thinking: {type: disabled}` unread there.
 */
export const engineThinking = ({ path, model, body }: OutgoingRequest): Adjustment | undefined => {
  if (path.endsWith('/messages'))
    return membersOf(body.thinking).type === 'disabled' ? { members: template(body, off) } : undefined
  const effort = textIn(body.reasoning_effort)
  if (effort === undefined || !path.endsWith('/chat/completions')) return undefined
  if (effort === 'none') return { effort, members: { reasoning_effort: undefined, ...template(body, off) } }
  const known = ownMember(efforts, effort)
  const level = known === undefined ? {} : { reasoning_effort: known }
  // Models that think only on request get the switch in the template.
  const asked = familyOf(model)?.thinking?.when === 'asked' ? template(body, on) : {}
  return { effort, members: { ...level, ...asked } }
}

const saysOff = ({ reasoning_effort: effort, thinking, enable_thinking: enabled }: JsonObject): boolean =>
  effort === 'none' || enabled === false || membersOf(thinking).type === 'disabled'

/**
 * A request that switches thinking off, at an address that may be an engine or a gateway to the maker of the model: the members of the
 * maker's API stay, and the template gets the switch as well.
 */
export const withTemplateSwitch = (
  { path, body }: OutgoingRequest,
  adjustment: Adjustment | undefined,
): Adjustment | undefined => {
  if (!path.endsWith('/chat/completions')) return adjustment
  const changed: JsonObject = { ...body, ...adjustment?.members }
  if (!saysOff(changed)) return adjustment
  // Engines know no such effort.
  const effort = changed.reasoning_effort === 'none' ? { reasoning_effort: undefined } : {}
  return { effort: 'none', ...adjustment, members: { ...adjustment?.members, ...effort, ...template(changed, off) } }
}

/** The same for Messages, which llama.cpp serves and in which it reads the template's switches alone. */
export const withMessagesSwitch = (
  { model, baseUrl = '', body }: OutgoingRequest,
  adjustment: Adjustment | undefined,
): Adjustment | undefined => {
  const isOff = membersOf(body.thinking).type === 'disabled'
  if (!isOff || !isSelfHosted(baseUrl) || !mayRunAnywhere(model)) return adjustment
  return { ...adjustment, members: { ...adjustment?.members, ...template(body, off) } }
}
