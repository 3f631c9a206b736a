import type { Message } from './conversation.ts'

export const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer'

/** Where a conversation needs somebody who asks, instructions that stand alone are the question. */
export const withQuestion = (messages: readonly Message[]): readonly Message[] =>
  messages.every(isSystem) ? messages.map((message) => ({ ...message, role: 'user' })) : messages
