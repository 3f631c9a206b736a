/** Routing prefixes of aggregators and clouds: `openai/`, `models/`, `us.anthropic.`. */
const path = /^.*\//
const region = /^(?:us|eu|apac|ap|au|ca|jp|sa|me|us-gov|global)\.(?=[a-z])/
const vendor =
  /^(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen|google|moonshotai?|minimax|nvidia|stability|writer|zai)\./
/** Versions of an offering, not of a model: `-v1:0`, `:free`, `@20240620`, `@default`. */
const offering = /(?:-v\d+)?(?::[a-z\d.]+)$|-v\d+$(?<=\d{8}-v\d+)|@[a-z\d-]+$/
/** Dated snapshots: `-2024-08-06`, `-20250514`, `-0613`, ` 1120`, `-latest`. */
const snapshot = /[-\s](?:20\d{2}-\d{2}-\d{2}|20\d{6}|(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])|latest)(?=$|[-\s])/

/** `nova-2` is sold as `Nova2.0`. */
const zeroVersion = /(?<=\d)\.0(?!\d)/

const longest = 255

const trimmed = (name: string): string => {
  const plain = name
    .trim()
    .replace(path, '')
    .toLowerCase()
    .replace(region, '')
    .replace(vendor, '')
    .replace(offering, '')
  return plain.replace(snapshot, '').replace(zeroVersion, '')
}

const parts = /[a-z]+|\d+[a-z]*/g

/**
 * Key that all names of a model share: without routing prefixes and dated snapshots, its parts in one order. Clouds write the same
 * parts differently: `Claude4.6Sonnet`, `gpt 4.1 mini`, `anthropic.claude-sonnet-4-6-20260501-v1:0`.
 */
export const modelKey = (name: string): string => {
  // Before names are in lower case: `NovaPro` is two parts, and so is `4Sonnet`.
  const spaced = name.replaceAll(/(?<=[a-z\d])(?=[A-Z][a-z])/g, '-')
  const plain = trimmed(spaced)
  return (plain.match(parts) ?? [plain]).toSorted().join('-').slice(0, longest)
}
