// Written by `npm run modules` from the folders of modules.
export * from '../corrections/web/page.ts'
export * from '../inspector/web/page.ts'
export * from '../reconciliation/web/page.ts'
export * from '../redemptions/web/page.ts'
export * from '../site-imports/web/page.ts'
export * from '../statements/web/page.ts'
export * from '../virtual-models/web/page.ts'
