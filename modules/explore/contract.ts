export * from './contract/alert-rules.ts'
export * from './contract/alerts.ts'
export * from './contract/events.ts'
