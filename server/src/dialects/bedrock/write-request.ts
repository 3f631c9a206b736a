import { boundSchema } from '../anthropic/schema.ts'
import type { AnswerFormat, Conversation } from '../conversation/conversation.ts'
import { withoutEmptyTurns } from '../conversation/gaps/empty-turns.ts'
import { defined, type JsonObject, membersOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { withUserMessage } from '../joined-instructions.ts'
import { modelFields } from './model-fields.ts'
import { toolConfig } from './tools.ts'
import { isWritten, writeMessages, writeSystem } from './write-messages.ts'

/** Fields of Converse that clients of other dialects may add. */
const ownNames: ReadonlySet<string> = new Set([
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'guardrailConfig',
  'performanceConfig',
  'promptVariables',
  'requestMetadata',
])

const ownMembers = ({ own }: Conversation, unsupported: UnsupportedFields): JsonObject =>
  Object.fromEntries(
    Object.entries(own.members).filter(([name]) => {
      if (!ownNames.has(name)) unsupported.add(name)
      return ownNames.has(name)
    }),
  )

/** Converse takes the schema as JSON text (API_runtime_JsonSchemaDefinition.html). */
const formatOf = (format: AnswerFormat | undefined, unsupported: UnsupportedFields): JsonObject | undefined => {
  if (format === undefined || format.kind === 'text') return undefined
  if (format.kind === 'json') {
    unsupported.add('response_format')
    return undefined
  }
  const { name, description, schema } = format
  const jsonSchema = {
    name,
    schema: JSON.stringify(boundSchema(schema, 'response_format', unsupported)),
    ...defined({ description }),
  }
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

const tiers: ReadonlySet<string> = new Set(['default', 'flex', 'priority', 'reserved'])

const tierOf = ({ serviceTier }: Conversation, unsupported: UnsupportedFields): JsonObject | undefined => {
  if (serviceTier === undefined || serviceTier === 'auto') return undefined
  if (tiers.has(serviceTier)) return { type: serviceTier }
  unsupported.add('service_tier')
  return undefined
}

const dropRest = (conversation: Conversation, unsupported: UnsupportedFields): void => {
  const { n, seed, logprobs, topLogprobs, frequencyPenalty, presencePenalty, user, verbosity, modalities } =
    conversation
  const refused = {
    n: n === undefined || n === 1 ? undefined : n,
    seed,
    logprobs: logprobs || undefined,
    top_logprobs: topLogprobs,
    frequency_penalty: frequencyPenalty || undefined,
    presence_penalty: presencePenalty || undefined,
    user,
    verbosity,
    modalities: modalities?.some((modality) => modality !== 'text') || undefined,
  }
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) unsupported.add(name)
}

/** Writes a conversation for Converse, without the model, which is in the URL (API_runtime_Converse.html). */
export const writeRequest = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  dropRest(conversation, unsupported)
  const { maxTokens, temperature, topP, stop } = conversation
  const messages = withUserMessage(withoutEmptyTurns(conversation, isWritten({ unsupported }), unsupported))
  const own = ownMembers(conversation, unsupported)
  const writing = { unsupported, documents: new Set<string>() }
  const system = writeSystem(messages, writing)
  const fields = { ...membersOf(own.additionalModelRequestFields), ...modelFields(conversation, unsupported) }
  const settings = defined({ maxTokens, temperature, topP, stopSequences: stop })
  return {
    ...own,
    messages: writeMessages(messages, writing),
    ...(system.length > 0 ? { system } : {}),
    ...(Object.keys(settings).length > 0 ? { inferenceConfig: settings } : {}),
    ...defined({
      toolConfig: toolConfig(conversation, unsupported),
      outputConfig: formatOf(conversation.format, unsupported),
      serviceTier: tierOf(conversation, unsupported),
    }),
    ...(Object.keys(fields).length > 0 ? { additionalModelRequestFields: fields } : {}),
  }
}
