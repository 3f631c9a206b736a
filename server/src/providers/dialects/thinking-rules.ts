import { effortIn } from '../../dialects/conversation/effort.ts'
import { type JsonObject, listOf, membersOf } from '../../dialects/conversation/json.ts'
import type { HostFacts } from '../../dialects/facts/hosts.ts'
import { acceptedEffort, type ClaudeFacts, type ThinkingFacts } from '../../dialects/facts/model-facts.ts'
import { switched, switchedOff, thinkingAsked, thinksIn } from '../../dialects/facts/thinking-switch.ts'

/** Thinking options of chat completions, in the format of the host. */

type Changes = Record<string, unknown>

/** True if `tool_choice` makes the model call a tool. */
export const forcesTool = ({ tools, tool_choice: choice }: JsonObject): boolean => {
  if (listOf(tools).length === 0) return false
  const { type, mode, allowed_tools: allowed } = membersOf(choice)
  if (type === 'allowed_tools') return (membersOf(allowed).mode ?? mode) === 'required'
  return choice === 'required' || type === 'function' || type === 'custom'
}

/** The forced tool wins: thinking is off for this call, or the tool is only offered where a model always thinks. */
export const withForcedTool = (body: JsonObject, facts: ThinkingFacts, host: HostFacts, lost: string[]): Changes => {
  if (facts.forcedTools !== false || !forcesTool(body) || !thinksIn(body, facts)) return {}
  if (facts.when === 'always') {
    lost.push('tool_choice')
    return { tool_choice: 'auto' }
  }
  lost.push('reasoning')
  return switchedOff(body, host.thinking ?? facts.switch, facts)
}

const switches = ['thinking', 'enable_thinking', 'chat_template_kwargs'] as const

/** `reasoning_effort` as the model takes it, for a host that switches thinking by another member or takes other efforts. */
export const withAcceptedEffort = (
  body: JsonObject,
  facts: ThinkingFacts,
  host: HostFacts,
  lost: string[],
): Changes => {
  const effort = effortIn(body.reasoning_effort)
  if (effort === undefined || host.thinking === 'reasoning_effort') return {}
  const by = host.thinking ?? facts.switch
  if (switches.some((name) => body[name] !== undefined) || by === 'reasoning_effort') return nearest(body, facts, lost)
  if (facts.when === 'never' || (effort === 'none' && facts.when === 'always')) {
    if (effort !== 'none' || facts.when === 'always') lost.push('reasoning_effort')
    return { reasoning_effort: undefined }
  }
  if (effort === 'none') return { reasoning_effort: undefined, ...switched(by, false, facts) }
  return { reasoning_effort: undefined, ...thinkingAsked(by, facts, { effort, budget: undefined }) }
}

/** The accepted effort nearest to the requested one. */
const nearest = (body: JsonObject, facts: ThinkingFacts, lost: string[]): Changes => {
  const { efforts } = facts
  const requested = effortIn(body.reasoning_effort)
  if (requested === undefined || efforts === undefined || efforts.includes(requested)) return {}
  lost.push('reasoning_effort')
  return { reasoning_effort: acceptedEffort(facts, requested) }
}

/** A tool that the request forces is only offered to models of Claude that may not be forced. */
export const withOfferedTool = (body: JsonObject, claude: ClaudeFacts | undefined, lost: string[]): Changes => {
  if (claude === undefined || claude.forcesTools || !forcesTool(body)) return {}
  lost.push('tool_choice')
  return { tool_choice: 'auto' }
}
