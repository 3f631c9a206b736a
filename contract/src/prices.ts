/** Figures the price options start with. */
export * from './prices/group-ratios.ts'
export * from './prices/model-prices.ts'
export * from './prices/tier-ratios.ts'
export * from './prices/tool-prices.ts'
