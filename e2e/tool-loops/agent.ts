import type { ReceivedCall } from '../strict/model.ts'

/** Contents of one answer to an agent. */
export interface Turn {
  readonly thought: string
  readonly text: string
  readonly calls: readonly ReceivedCall[]
}

/** A person's program that works with tools, as its makers have built it. */
export interface Agent {
  /** Works until the model calls no tool any more; every answer of the model is one turn. */
  ask(question: string): Promise<readonly Turn[]>
}

export interface AgentPlace {
  readonly url: string
  readonly key: string
  /** Read for every question: people change models. */
  readonly model: string
}

/** Asks again while the model calls tools; `step` has one answer and runs its calls. */
export const loop = async (step: () => Promise<Turn>): Promise<readonly Turn[]> => {
  const turns: Turn[] = []
  for (;;) {
    const turn = await step()
    turns.push(turn)
    if (turn.calls.length === 0) return turns
  }
}
