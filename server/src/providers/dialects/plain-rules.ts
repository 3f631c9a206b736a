import { listOf } from '../../dialects/conversation/json.ts'
import { type HostFacts, hostOf } from '../../dialects/facts/hosts.ts'
import { type ModelFacts, takesSampling } from '../../dialects/facts/model-facts.ts'
import { familyOf, rulesOf } from '../../dialects/facts/models.ts'
import type { PlainCheck, PlainPlace } from '../provider.ts'
import { withJoinedInstructions } from './instruction-rules.ts'
import { effortSuffix, isChat, isResponses, rolesFor, sampling, samplingOfResponses } from './model-rules.ts'
import { prefixMark, withAnsweredResults } from './turn-rules.ts'

/** Which plain bodies the rules of models and hosts (`model-rules.ts`) leave as they are, compiled once for a model. */

/** True for bodies with none of these members. */
export const lacks =
  (names: readonly string[]): PlainCheck =>
  (body) => {
    for (const name of names) if (Object.hasOwn(body, name)) return false
    return true
  }

const names = (settings: readonly (readonly [string, unknown])[]): readonly string[] => settings.map(([name]) => name)

/** Members that a host or a model does not take, or takes under another name. */
const refusedChecks = (host: HostFacts, family: ModelFacts | undefined): readonly PlainCheck[] => {
  const refused = host.refused ?? (host.ownThoughts === true ? undefined : family?.refused)
  if (refused === undefined) return []
  const top = lacks([...refused.request, ...Object.keys(refused.renamed)])
  const inMessages = Object.entries(refused.messages).filter(([, members]) => members.has('content'))
  return inMessages.length === 0 ? [top] : [top, () => false]
}

/** The order of turns that a model wants. */
const turnChecks = (family: ModelFacts | undefined): readonly PlainCheck[] => {
  const checks: PlainCheck[] = []
  if (family?.laterInstructions === false) checks.push(({ messages }) => withJoinedInstructions(messages) === undefined)
  if (family?.answersResults === true) checks.push(({ messages }) => withAnsweredResults(messages) === undefined)
  if (family?.prefix !== undefined) checks.push(({ messages }) => prefixMark(listOf(messages), family) === undefined)
  return checks
}

/** The limits of the maker's own API. */
const ruleChecks = (rules: ModelFacts | undefined): readonly PlainCheck[] => {
  if (rules === undefined) return []
  const { limit, instructions, stop } = rules
  const changed = [
    ...(limit === undefined ? [] : [limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens']),
    ...(takesSampling(rules, undefined) ? [] : names(sampling)),
    ...(stop === false ? ['stop'] : []),
  ]
  const hasRoles: PlainCheck = (body) => {
    const { firstRole, developerRole } = rolesFor(body, rules)
    return firstRole === undefined && developerRole === undefined
  }
  return [...(changed.length === 0 ? [] : [lacks(changed)]), ...(instructions === undefined ? [] : [hasRoles])]
}

/** Checks that `byModelRules` changes nothing; undefined for a name with options beside its model. */
export const plainByModelRules = ({ path, model }: PlainPlace, provider: string): readonly PlainCheck[] | undefined => {
  const host = hostOf(provider)
  if (effortSuffix.test(model)) return undefined
  const [rules, family] = [rulesOf(model), familyOf(model)]
  if (isResponses(path))
    return rules === undefined || takesSampling(rules, undefined) ? [] : [lacks(names(samplingOfResponses))]
  if (!isChat(path)) return []
  return [...refusedChecks(host, family), ...turnChecks(family), ...ruleChecks(rules)]
}
