import type { Message } from './conversation.ts'

export const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer'

/** Turns system messages into user messages if there are no others, for providers that require a user message. */
export const withUserMessage = (messages: readonly Message[]): readonly Message[] =>
  messages.every(isSystem) ? messages.map((message) => ({ ...message, role: 'user' })) : messages
