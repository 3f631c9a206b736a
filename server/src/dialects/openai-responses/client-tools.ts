import type { ClientToolType, Part } from '../conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  numberIn,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'

/**
 * Tools that OpenAI's models know without a schema and the client runs, as functions for other providers
 * (developers.openai.com/api/docs/guides: tools-local-shell, tools-shell, tools-apply-patch, tools-tool-search).
 */
interface ClientTool {
  /** The function; undefined where the provider runs the tool itself. */
  asFunction(tool: JsonObject): { readonly description: string; readonly parameters: JsonObject } | undefined
  /** Arguments of the function, from an item that calls the tool. */
  argumentsOf(item: JsonObject): JsonObject
  /** Fields of an item that calls the tool, from a model's arguments. */
  callOf(input: JsonObject): JsonObject
}

const text = (description: string) => ({ type: 'string', description })
const milliseconds = { type: 'integer', description: 'Time limit in milliseconds' }

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
})

const textsOf = (value: unknown): readonly string[] => listOf(value).filter((entry) => typeof entry === 'string')

/** Reads a command as a list or as one line: models write both. */
const commandOf = (value: unknown): readonly string[] =>
  typeof value === 'string' ? ['bash', '-lc', value] : textsOf(value)

const localShell: ClientTool = {
  asFunction: () => ({
    description: "Runs a command in the user's local shell and returns its output.",
    parameters: object(
      {
        command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments' },
        working_directory: text('Where the command runs'),
        timeout_ms: milliseconds,
      },
      ['command'],
    ),
  }),
  argumentsOf({ action }) {
    const { command, working_directory, timeout_ms } = membersOf(action)
    return defined({
      command: textsOf(command),
      working_directory: textIn(working_directory),
      timeout_ms: numberIn(timeout_ms),
    })
  },
  callOf: ({ command, working_directory, timeout_ms }) => ({
    action: {
      type: 'exec',
      command: commandOf(command),
      env: {},
      ...defined({ working_directory: textIn(working_directory), timeout_ms: numberIn(timeout_ms) }),
    },
  }),
}

const shell: ClientTool = {
  // OpenAI runs the tool if its environment is a container.
  asFunction: ({ environment }) =>
    textOf(membersOf(environment).type).startsWith('container')
      ? undefined
      : {
          description: "Runs commands in the user's shell and returns their output.",
          parameters: object(
            {
              commands: { type: 'array', items: { type: 'string' }, description: 'Lines to run at the same time' },
              timeout_ms: milliseconds,
              max_output_length: { type: 'integer', description: 'Characters of output to return at most' },
            },
            ['commands'],
          ),
        },
  argumentsOf({ action }) {
    const { commands, timeout_ms, max_output_length } = membersOf(action)
    return defined({
      commands: textsOf(commands),
      timeout_ms: numberIn(timeout_ms),
      max_output_length: numberIn(max_output_length),
    })
  },
  callOf: ({ commands, timeout_ms, max_output_length }) => ({
    action: {
      commands: typeof commands === 'string' ? [commands] : textsOf(commands),
      timeout_ms: numberIn(timeout_ms) ?? null,
      max_output_length: numberIn(max_output_length) ?? null,
    },
  }),
}

const applyPatch: ClientTool = {
  asFunction: () => ({
    description:
      'Creates, updates or deletes a file. `diff` holds lines that begin with "+" (added), "-" (removed) or a space (context), in sections that begin with "@@".',
    parameters: object(
      {
        type: { type: 'string', enum: ['create_file', 'update_file', 'delete_file'] },
        path: text('The file, relative to the workspace'),
        diff: text('Left out where the file is deleted'),
      },
      ['type', 'path'],
    ),
  }),
  argumentsOf: ({ operation }) => membersOf(operation),
  callOf: ({ type, path, diff }) => ({
    operation: { type: textOf(type) || 'update_file', path: textOf(path), ...defined({ diff: textIn(diff) }) },
  }),
}

const toolSearch: ClientTool = {
  // Without client execution OpenAI runs the search, so there is no function: all tools are offered at once.
  asFunction: ({ execution, description, parameters }) =>
    execution === 'client'
      ? {
          description: textIn(description) ?? 'Finds tools for a task.',
          parameters: isObject(parameters) ? parameters : object({ query: text('What the tools are for') }, ['query']),
        }
      : undefined,
  argumentsOf: ({ arguments: input }) => membersOf(input),
  callOf: (input) => ({ execution: 'client', arguments: input }),
}

const tools: ReadonlyMap<string, ClientTool> = new Map<ClientToolType, ClientTool>([
  ['local_shell', localShell],
  ['shell', shell],
  ['apply_patch', applyPatch],
  ['tool_search', toolSearch],
])

const isClientTool = (type: string): type is ClientToolType => tools.has(type)

/** A client's tool as a function; undefined where it is none, or the provider runs it. */
export const clientTool = (
  tool: JsonObject,
): { readonly type: ClientToolType; readonly description: string; readonly parameters: JsonObject } | undefined => {
  const type = textOf(tool.type)
  const definition = tools.get(type)?.asFunction(tool)
  return definition === undefined || !isClientTool(type) ? undefined : { type, ...definition }
}

/** The tool that an item calls; undefined for items that call none, or one that the provider has run. */
export const calledTool = (
  item: JsonObject,
): { readonly type: ClientToolType; readonly id: string; readonly arguments: string } | undefined => {
  const type = textOf(item.type).replace(/_call$/, '')
  const id = textIn(item.call_id)
  if (id === undefined || item.execution === 'server' || !isClientTool(type) || type === item.type) return undefined
  return { type, id, arguments: JSON.stringify(tools.get(type)?.argumentsOf(item) ?? {}) }
}

/** Names and descriptions of the tools that a search found. `readTools` reads their definitions. */
const foundTools = (item: JsonObject): string =>
  JSON.stringify(objectsOf(item.tools).map(({ type, name, description }) => ({ type, name, description })))

/** Reads the result of a client-run tool; undefined for other items. */
export const toolOutput = (
  item: JsonObject,
): { readonly id: string; readonly content: readonly Part[] } | undefined => {
  const type = textOf(item.type)
  if (!/^(local_shell_call|shell_call|apply_patch_call|tool_search)_output$/.test(type)) return undefined
  const id = textIn(item.call_id) ?? (type === 'local_shell_call_output' ? textIn(item.id) : undefined)
  if (id === undefined || item.execution === 'server') return undefined
  const { output, status } = item
  const outputText = typeof output === 'string' ? output : JSON.stringify(output ?? { status })
  return { id, content: [{ kind: 'text', text: type === 'tool_search_output' ? foundTools(item) : outputText }] }
}

/** An item that calls a client's tool, from arguments that a model wrote; arguments that are no object count as none. */
export const clientToolCall = (type: ClientToolType, input: unknown): JsonObject => ({
  type: `${type}_call`,
  ...tools.get(type)?.callOf(membersOf(input)),
})
