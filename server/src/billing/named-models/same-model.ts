import { memoize } from '../../lib/memoize.ts'

/** A cloud's prefixes: `us.anthropic.`, `models/`, `publishers/google/models/`, `accounts/x/models/`, and a provider before a slash. */
const path = /^.*\//
const region = /^(?:(?:us|eu|ap|apac|jp|au|ca|sa|global|us-gov)\.)?(?:[a-z0-9]+\.)(?=[a-z])/
/** Versions and snapshots: `-v1:0`, `@20251101`, `-2026-08-01`, `-20251101`, `-0613`, `-001`, `-08-2024`, `-latest`, `:free`. */
const version = /(?:-v\d+(?::\d+)?|@[^/]*|:[a-z]+)$/
const snapshot = /-(?:20\d\d-?\d\d-?\d\d|\d{2}-20\d\d|\d{4}|\d{6}|0\d\d|latest)$/

const ownNames = /^(?:gpt|claude|gemini|o\d|grok|llama|qwen|glm|kimi)/

const plainName = (name: string): string => {
  let id = name.trim().toLowerCase().replace(path, '')
  if (!ownNames.test(id)) id = id.replace(region, '')
  for (let before = ''; before !== id; ) {
    before = id
    id = id.replace(version, '').replace(snapshot, '')
  }
  return id
}

const mostNames = 10_000
const plain = memoize(mostNames, plainName)

/** True where two names mean one model, whatever prefix of a provider or cloud, snapshot or `-latest` they have. */
export const isSameModel = (one: string, other: string): boolean =>
  one === other || plain(one) === plain(other) || withoutEffort(plain(one)) === withoutEffort(plain(other))

/** Effort and thinking that gateways append to a name. */
const effort = /-(?:thinking(?:-\d+)?|nothinking|none|minimal|low|medium|high|xhigh|adaptive)$/
const withoutEffort = (name: string): string => name.replace(effort, '')
