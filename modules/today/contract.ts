export * from './contract/cards.ts'
export * from './contract/today.ts'
