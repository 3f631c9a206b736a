import { type CallKind, chat, chatCost, overSocket } from './call-kinds.ts'

/** Each says how long its answer may be, so that no call costs more than is held for it. */
const bounded = { max_tokens: 100 }

/** Calls of an organisation's keys, while its owner moves money and keys. */
export const ofWallets: readonly CallKind[] = [
  { name: 'chat of a project', payer: 'project', weight: 2, cost: chatCost, make: ({ mark }) => chat(mark(), bounded) },
  {
    name: 'long stream of a project',
    payer: 'project',
    weight: 2,
    cost: chatCost,
    make: ({ mark }) => chat(mark('slow'), { stream: true, ...bounded }),
  },
  {
    name: 'burst of a project',
    payer: 'project',
    weight: 1,
    cost: chatCost,
    make: ({ mark }) => chat(mark('burst'), { stream: true, ...bounded }),
  },
  {
    name: 'answer over a socket of a project',
    payer: 'project',
    weight: 1,
    cost: chatCost,
    make: ({ mark, random }) => overSocket(mark(random() < 0.5 ? 'slow' : 'normal'), { max_output_tokens: 100 }),
  },
  {
    name: 'chat with a key that moves',
    payer: 'moving',
    weight: 2,
    cost: chatCost,
    make: ({ mark, random }) => chat(mark(random() < 0.5 ? 'slow' : 'normal'), { stream: random() < 0.5, ...bounded }),
  },
]
