export * from './contract/comparisons.ts'
export * from './contract/report-sources.ts'
