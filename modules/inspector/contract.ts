export * from './contract/captures.ts'
export * from './contract/inspections.ts'
