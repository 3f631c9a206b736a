import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from '../../strict/model.ts'
import type { Agent, RunChanges, Stage } from './agent.ts'
import type { Ended } from './run-program.ts'

/** The first reason of a list that is one. */
export const reasonOf = (...reasons: readonly (string | false | undefined)[]): string | undefined =>
  reasons.find((reason) => reason !== undefined && reason !== false) || undefined

/** The last words of a program. */
export const tail = (output: string): string => output.trim().split('\n').slice(-3).join(' ').slice(-300)

/** Failure of a run whatever it did: the provider refused something, or the agent failed. */
export const runFailure = ({ context: { upstream } }: Stage, { code, output }: Ended) =>
  reasonOf(
    upstream.complaints[0] !== undefined && `the provider refused: ${upstream.complaints[0]}`,
    code !== 0 && `ended with ${code}: ${tail(output)}`,
  )

/** Reads a file with a command, runs two commands at once, and says what it read. */
export const toolLoop = async (agent: Agent, stage: Stage, changes: RunChanges = {}): Promise<string | undefined> => {
  const { runs } = agent
  if (runs === undefined) return editLoop(stage)
  // Thoughts that the provider stores need not come back: an agent that stores them is tried without.
  const thinks = (thought: string) => (agent.stores ? {} : { thought })
  stage.play([
    { ...thinks('I read first.'), text: 'Let me look.', calls: [runs('cat notes.txt')] },
    { ...thinks('Now I write.'), calls: [runs('printf done > done.txt'), runs('echo héllo “夏”')] },
    { text: 'Finished: 42 it is.', calls: [] },
  ])
  const ended = await stage.run('Do what notes.txt says.', changes)
  const last = stage.context.upstream.received.at(-1)
  const results = last?.results.map(({ text }) => text).join('\n') ?? ''
  return reasonOf(
    runFailure(stage, ended),
    !ended.output.includes('Finished: 42 it is.') && `did not say the answer: ${tail(ended.output)}`,
    !existsSync(join(stage.place.work, 'done.txt')) && 'did not write the file',
    last?.calls.length !== 3 && `gave ${last?.calls.length} calls back instead of 3`,
    !/the answer is 42[\s\S]*héllo “夏”/.test(results) && `the model read: ${results.slice(0, 200)}`,
  )
}

/** An agent without tools edits a file until its test passes. */
const editLoop = async (stage: Stage): Promise<string | undefined> => {
  const edit = (answer: number): Step => ({ text: `notes.txt\n\`\`\`\nthe answer is ${answer}\n\`\`\`\n`, calls: [] })
  stage.play([edit(41), edit(42)])
  const ended = await stage.run('Write the answer.')
  const written = readFileSync(join(stage.place.work, 'notes.txt'), 'utf8')
  return reasonOf(
    runFailure(stage, ended),
    written !== 'the answer is 42\n' && `wrote ${written}`,
    stage.context.upstream.received.length !== 2 && 'did not ask twice',
  )
}
