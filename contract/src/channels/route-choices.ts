/**
 * Which channel of the highest priority gets a call: `priority` one by weight, `latency` the one whose first content comes
 * soonest, `cost` the one whose provider takes least, `least_busy` the one with the fewest calls under way.
 */
export const channelChoices = ['priority', 'latency', 'cost', 'least_busy'] as const
export type ChannelChoice = (typeof channelChoices)[number]

/**
 * Kinds of failures after which the next model may answer: the provider is busy (429, 529, 503), the prompt is too long, the
 * provider refuses the content, nothing came in time, the provider broke (5xx, network), its credentials or credit are gone,
 * it does not know the model.
 */
export const failureClasses = ['overload', 'context', 'content', 'timeout', 'server', 'credentials', 'missing'] as const
export type FailureClass = (typeof failureClasses)[number]

/** Price of calls of a virtual model: that of the model that answered, or its own. */
export const virtualPrices = ['answered', 'own'] as const
