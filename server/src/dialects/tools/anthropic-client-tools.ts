import { type JsonObject, textOf } from '../conversation/json.ts'

/**
 * Tools that Anthropic's models know without a schema and the client runs, as functions for other models
 * (platform.claude.com/docs/en/agents-and-tools/tool-use: bash-tool, text-editor-tool, memory-tool, computer-use-tool). Their calls
 * and results are those of any function.
 */
interface ClientTool {
  readonly name: string
  asFunction(tool: JsonObject): { readonly description: string; readonly parameters: JsonObject }
}

const text = (description: string): JsonObject => ({ type: 'string', description })
const whole = (description: string): JsonObject => ({ type: 'integer', description })
const numbers = (count: number, description: string): JsonObject => ({
  type: 'array',
  items: { type: 'integer' },
  minItems: count,
  maxItems: count,
  description,
})

const object = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
})

const bash: ClientTool = {
  name: 'bash',
  asFunction: () => ({
    description: 'Runs a command in a bash session that stays open between calls, and returns its output.',
    parameters: object(
      {
        command: text('The command to run; required unless the session is restarted'),
        restart: { type: 'boolean', description: 'True starts the session again' },
      },
      [],
    ),
  }),
}

const fileParameters: JsonObject = {
  path: text('Absolute path of the file or directory'),
  file_text: text('Content of the new file (create)'),
  old_str: text('Text to replace, which must occur once (str_replace)'),
  new_str: text('Text in its place (str_replace)'),
  insert_line: whole('The line after which the text is inserted; 0 for the beginning (insert)'),
  insert_text: text('Text to insert (insert)'),
  view_range: numbers(2, 'First and last line to show; -1 for the end (view)'),
}

const commands = (...names: readonly string[]): JsonObject => ({ type: 'string', enum: names })

/** Editors before Claude 4 could undo, and took the text to insert as `new_str`. */
const isOldEditor = (type: string): boolean => /^text_editor_(2024|20250124)/.test(type)

const editor: ClientTool = {
  name: 'str_replace_based_edit_tool',
  asFunction: (tool) => {
    const { insert_text, ...others } = fileParameters
    const isOld = isOldEditor(textOf(tool.type))
    const command = isOld
      ? commands('view', 'create', 'str_replace', 'insert', 'undo_edit')
      : commands('view', 'create', 'str_replace', 'insert')
    const own = isOld
      ? { ...others, new_str: text('Text in its place (str_replace), or text to insert (insert)') }
      : { ...others, insert_text }
    return {
      description: "Views, creates and edits files on the user's machine.",
      parameters: object({ command, ...own }, ['command', 'path']),
    }
  },
}

const memory: ClientTool = {
  name: 'memory',
  asFunction: () => ({
    description:
      'Keeps notes across conversations as files below /memories. Look there for earlier progress before you begin a task, and note what later conversations need.',
    parameters: object(
      {
        command: commands('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
        ...fileParameters,
        path: text('Path of the file or directory below /memories; for all commands but rename'),
        old_path: text('The present path (rename)'),
        new_path: text('The new path (rename)'),
      },
      ['command'],
    ),
  }),
}

const firstActions = [
  ...['key', 'type', 'mouse_move', 'left_click', 'left_click_drag', 'right_click', 'middle_click', 'double_click'],
  ...['screenshot', 'cursor_position'],
]
const laterActions = ['left_mouse_down', 'left_mouse_up', 'scroll', 'hold_key', 'wait', 'triple_click']

const computer: ClientTool = {
  name: 'computer',
  asFunction: (tool) => {
    const type = textOf(tool.type)
    const isFirst = type.startsWith('computer_2024')
    const zooms = !isFirst && !type.startsWith('computer_202501') && tool.enable_zoom === true
    const actions = [...firstActions, ...(isFirst ? [] : laterActions), ...(zooms ? ['zoom'] : [])]
    const { display_width_px: width, display_height_px: height } = tool
    const size = typeof width === 'number' && typeof height === 'number' ? ` of ${width} x ${height} pixels` : ''
    const later = {
      duration: { type: 'number', description: 'Seconds (hold_key, wait)' },
      scroll_direction: commands('up', 'down', 'left', 'right'),
      scroll_amount: whole('Clicks of the wheel (scroll)'),
    }
    return {
      description: `Uses mouse and keyboard of a computer with a screen${size}, and takes screenshots. Coordinates are pixels from the top left.`,
      parameters: object(
        {
          action: commands(...actions),
          coordinate: numbers(2, 'x and y of the action; where a drag ends'),
          text: text('Text to type, or keys such as ctrl+s (type, key, hold_key)'),
          ...(isFirst
            ? {}
            : { start_coordinate: numbers(2, 'x and y where a drag begins (left_click_drag)'), ...later }),
          ...(zooms ? { region: numbers(4, 'x and y of the top left and the bottom right corner (zoom)') } : {}),
        },
        ['action'],
      ),
    }
  },
}

/** By the beginning of their type, which a date follows. */
const tools: readonly (readonly [string, ClientTool])[] = [
  ['bash_', bash],
  ['text_editor_', editor],
  ['memory_', memory],
  ['computer_', computer],
]

/** A client's tool as a function; undefined for tools that the provider runs. */
export const clientTool = (
  tool: JsonObject,
): { readonly name: string; readonly description: string; readonly parameters: JsonObject } | undefined => {
  const found = tools.find(([start]) => textOf(tool.type).startsWith(start))?.[1]
  return found && { name: textOf(tool.name) || found.name, ...found.asFunction(tool) }
}
