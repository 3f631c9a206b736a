// Written by `npm run modules` from the folders of modules.

export const moduleSections = [] as const
