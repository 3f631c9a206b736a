import type { Module } from './modules.ts'

/** Folders of the kernel, below `server/src`. */
const kernel = [
  'lib',
  'db',
  'billing',
  'dialects',
  'providers',
  'relay',
  'gateway',
  'journal',
  'ledger',
  'limits',
  'http',
]

const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\/(testing|test)-[^/]+$|^modules\/[\w-]+\/tests\/|^web\/src\/test\//.test(path)

const isProduct = (path: string): boolean =>
  /^((contract|server|web)\/src|modules)\//.test(path) && !path.startsWith('modules/lists/') && !isTest(path)

/** Words in the languages of the console and of notices. Tables of data are JSON, which is no module. */
const isText = (path: string): boolean => /^web\/src\/languages\/|\/([\w-]+-)?(messages|texts)\.tsx?$/.test(path)

const linesOf = ({ text }: Module): number => text.split('\n').length - 1

const linesWhere = (modules: readonly Module[], counts: (path: string) => boolean): number =>
  modules.filter(({ path }) => counts(path)).reduce((sum, module) => sum + linesOf(module), 0)

/** Most lines that `server/src/app` may have; lower it when code leaves the folder. */
export const mostAppLines = 1512

/** Lines of `server/src/app` without tests. */
export const appLines = (modules: readonly Module[]): number =>
  linesWhere(modules, (path) => path.startsWith('server/src/app/') && !isTest(path))

/** Lines of the kernel without tests. */
export const kernelLines = (modules: readonly Module[]): number =>
  linesWhere(modules, (path) => kernel.some((folder) => path.startsWith(`server/src/${folder}/`)) && !isTest(path))

/** Lines of the product, modules included, without tests and texts. */
export const productLines = (modules: readonly Module[]): number =>
  linesWhere(modules, (path) => isProduct(path) && !isText(path))
