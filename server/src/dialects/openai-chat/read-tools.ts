import { ownMember } from '@tollgate/contract/own-member'
import type { Tool, ToolChoice } from '../conversation/conversation.ts'
import {
  defined,
  flagIn,
  isObject,
  type JsonObject,
  membersOf,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { providerFields } from '../conversation/provider-fields.ts'

const translatedInFunction = new Set(['name', 'description', 'parameters', 'strict'])

const functionTool = (definition: JsonObject): Tool => ({
  kind: 'function',
  name: textOf(definition.name),
  ...defined({
    description: textIn(definition.description),
    parameters: isObject(definition.parameters) ? definition.parameters : undefined,
    strict: flagIn(definition.strict),
  }),
  ...providerFields('openai-chat', definition, translatedInFunction),
})

const customTool = (definition: JsonObject): Tool => ({
  kind: 'custom',
  name: textOf(definition.name),
  ...defined({
    description: textIn(definition.description),
    format: isObject(definition.format) ? definition.format : undefined,
  }),
})

const builtIns: Readonly<Record<string, 'web_search' | 'code_execution' | 'image_generation'>> = {
  web_search: 'web_search',
  web_search_preview: 'web_search',
  code_interpreter: 'code_execution',
  image_generation: 'image_generation',
}

const tool = (value: JsonObject): Tool => {
  const type = textOf(value.type)
  if (isObject(value.function)) return functionTool(value.function)
  if (type === 'custom') return customTool(membersOf(value.custom))
  return { kind: 'built_in', type: ownMember(builtIns, type) ?? 'other', dialect: 'openai-chat', value }
}

/** Reads `tools`, the deprecated `functions`, and `web_search_options`, which becomes a built-in tool. */
export const readTools = (body: JsonObject): Tool[] => [
  ...objectsOf(body.tools).map(tool),
  ...objectsOf(body.functions).map(functionTool),
  ...(isObject(body.web_search_options)
    ? [
        {
          kind: 'built_in',
          type: 'web_search',
          dialect: 'openai-chat',
          value: { type: 'web_search_options', ...body.web_search_options },
        } as const,
      ]
    : []),
]

const named = (choice: JsonObject): ToolChoice | undefined => {
  if (choice.type === 'allowed_tools') {
    const { mode, tools } = membersOf(choice.allowed_tools)
    const names = objectsOf(tools).map(
      (entry) => textOf(membersOf(entry.function ?? entry.custom).name) || textOf(entry.type),
    )
    return { kind: 'allowed', names, required: mode === 'required' }
  }
  if (choice.type === 'custom') return { kind: 'tool', name: textOf(membersOf(choice.custom).name), custom: true }
  const name = textOf(membersOf(choice.function).name) || textOf(choice.name)
  return name === '' ? undefined : { kind: 'tool', name }
}

export const readToolChoice = (body: JsonObject): ToolChoice | undefined => {
  const choice = body.tool_choice ?? body.function_call
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  // Some clients send `any` for `required`.
  if (choice === 'any') return { kind: 'required' }
  return isObject(choice) ? named(choice) : undefined
}
