import { createInterface } from 'node:readline'

/** Reads tasks, one line of JSON each, and tells what came of them. Tasks run beside each other. */
export const serve = (checks) => {
  const answer = async ({ id, ...task }) => {
    const told = { id }
    const check = checks[task.check]
    if (check === undefined) told.missing = true
    else
      try {
        told.value = await check(task)
      } catch (error) {
        const names = []
        for (let type = error?.constructor; type?.name; type = Object.getPrototypeOf(type)) names.push(type.name)
        told.thrown = { name: names[0] ?? typeof error, names, message: String(error?.message ?? error).slice(0, 400) }
      }
    process.stdout.write(`${JSON.stringify(told)}\n`)
  }
  createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)))
}

/** What a tool gives back. */
export const runTool = (name) => `${name} is done ✓`

/** Asks again until no tool is called: `turn` answers `{ text, thought, calls }`, `give` gets the results. */
export const loop = async (turn, give) => {
  const turns = []
  for (;;) {
    const { text = '', thought = '', calls = [] } = await turn()
    turns.push({ text, thought, calls: calls.map(({ name, input }) => ({ name, input })) })
    if (calls.length === 0) return turns
    await give(calls.map((call) => ({ ...call, result: runTool(call.name) })))
  }
}
