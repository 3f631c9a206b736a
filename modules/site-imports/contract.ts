export * from './contract/import-notes.ts'
export * from './contract/site-imports.ts'
