/** Tools as coding agents offer them: their own, and those of servers that they are connected to. */

export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

const text = (description: string, more: object = {}) => ({ type: 'string', description, ...more })
const number = (description: string, more: object = {}) => ({ type: 'number', description, ...more })
const flag = (description: string) => ({ description, default: false, type: 'boolean' })
const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more })

const draft = 'https://json-schema.org/draft/2020-12/schema'

/** As zod prints them. */
const object = (properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  $schema: draft,
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const tool = (name: string, description: string, schema: OfferedTool['schema']): OfferedTool => ({
  name,
  description,
  schema,
})

const file = text('The absolute path of the file')
const repository = { owner: text('Owner of the repository'), repo: text('Name of the repository') }

const status = { type: 'string', enum: ['pending', 'in_progress', 'completed'] }
const todo = {
  type: 'object',
  properties: { content: { type: 'string', minLength: 1 }, status, activeForm: { type: 'string', minLength: 1 } },
  required: ['content', 'status', 'activeForm'],
  additionalProperties: false,
}
const edit = {
  type: 'object',
  properties: { old_string: text('Before'), new_string: text('After'), replace_all: flag('Everywhere') },
  required: ['old_string', 'new_string'],
  additionalProperties: false,
}
const option = {
  type: 'object',
  properties: { label: text('At most five words'), description: text('What follows from it') },
  required: ['label', 'description'],
  additionalProperties: false,
}
const question = {
  type: 'object',
  properties: {
    question: text('Ends with a question mark'),
    header: text('A label', { maxLength: 12 }),
    options: list(option, { minItems: 2, maxItems: 4 }),
    multiSelect: flag('Whether several may be chosen'),
  },
  required: ['question', 'header', 'options'],
  additionalProperties: false,
}

/** A schema that names itself, as tools of other makers have them. */
const tree = {
  type: 'object',
  properties: { root: { $ref: '#/$defs/node' } },
  required: ['root'],
  $defs: {
    node: {
      type: 'object',
      properties: { name: { type: 'string' }, children: list({ $ref: '#/$defs/node' }) },
      required: ['name'],
    },
  },
}

const own: readonly OfferedTool[] = [
  tool(
    'read_file',
    'Reads a file — “as it is”.',
    object({ path: file, lines: list({ type: 'integer', minimum: 1 }, { minItems: 2, maxItems: 2 }) }, ['path']),
  ),
  tool(
    'Bash',
    'Runs a command in a shell.\n\nUsage:\n  - quote paths with spaces\n  - `&&` joins commands',
    object(
      {
        command: text('The command'),
        timeout: number('Milliseconds (max 600000)', { exclusiveMinimum: 0, maximum: 600_000 }),
        run_in_background: flag('Set to true to run it in the background'),
      },
      ['command'],
    ),
  ),
  tool(
    'Edit',
    'Replaces text in a file.',
    object({ file_path: file, old_string: text('Before'), new_string: text('After'), replace_all: flag('All') }, [
      'file_path',
      'old_string',
      'new_string',
    ]),
  ),
  tool(
    'MultiEdit',
    'Several edits of one file.',
    object({ file_path: file, edits: list(edit, { minItems: 1 }) }, ['edits']),
  ),
  tool('Write', 'Writes a file.', object({ file_path: file, content: text('The content') }, ['file_path', 'content'])),
  tool('Glob', 'Finds files: `**/*.ts`, 如 `src/**`.', object({ pattern: text('A glob'), path: file }, ['pattern'])),
  tool(
    'Grep',
    'Finds text with a regular expression.',
    object(
      {
        pattern: text('A regular expression, e.g. `log.*Error`, `function\\s+\\w+`'),
        output_mode: text('What is shown', { enum: ['content', 'files_with_matches', 'count'] }),
        '-A': number('Lines after'),
        '-i': flag('Case'),
        head_limit: number('First N', { default: 0 }),
      },
      ['pattern'],
    ),
  ),
  tool(
    'WebFetch',
    'Reads a page.',
    object({ url: text('The address', { format: 'uri' }), prompt: text('What for') }, ['url']),
  ),
  tool(
    'WebSearch',
    'Searches the web.',
    object({ query: text('Words', { minLength: 2 }), allowed_domains: list({ type: 'string' }) }, ['query']),
  ),
  tool('TodoWrite', 'Keeps the list of tasks.', object({ todos: list(todo) }, ['todos'])),
  tool('AskUserQuestion', 'Asks.', object({ questions: list(question, { minItems: 1, maxItems: 4 }) }, ['questions'])),
  tool(
    'NotebookEdit',
    'Edits a cell.',
    object({ cell_id: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] }, source: text('New') }, [
      'source',
    ]),
  ),
  tool('ExitPlanMode', 'Ends planning.', { type: 'object', properties: {}, additionalProperties: {} }),
  tool(
    'Task',
    'Starts another agent.',
    object({ prompt: text('The task'), model: text('Which', { enum: ['sonnet', 'opus'] }) }, ['prompt']),
  ),
  tool('KillShell', 'Ends a shell.', object({ shell_id: text('Its id', { pattern: '^[a-z0-9]+$' }) }, ['shell_id'])),
  tool('Skill', 'Uses a skill.', object({ skill: text('Its name') }, ['skill'])),
  tool('mcp__files__tree', 'Draws a tree.', tree),
]

const verbs = ['create', 'get', 'list', 'update', 'search', 'close'] as const
const things = ['issue', 'pull_request'] as const

const connected: readonly OfferedTool[] = things.flatMap((thing) =>
  verbs.map((verb) =>
    tool(
      `mcp__github__${verb}_${thing}`,
      `${verb} ${thing} (“GitHub”)`,
      object(
        {
          ...repository,
          number: { type: ['integer', 'null'], minimum: 1 },
          labels: list({ type: 'string' }, { uniqueItems: true }),
          state: { anyOf: [{ const: 'open' }, { const: 'closed' }], default: 'open' },
          since: text('From when on', { format: 'date-time' }),
        },
        ['owner', 'repo'],
      ),
    ),
  ),
)

/** About thirty. */
export const offered: readonly OfferedTool[] = [...own, ...connected]

export const longPrompt = [
  'You are a careful engineer. 你是一名严谨的工程师。',
  ...Array.from(
    { length: 80 },
    (_, n) => `Rule ${n + 1}: keep “quotes”, \\backslashes\\, tabs\tand emoji 🧑‍🔧 as they are.`,
  ),
].join('\n')
