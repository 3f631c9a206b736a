/// <reference types="node" />
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const input = ['Input'] as const
const box = [...input, 'InlineInput'] as const
const dropdown = ['ScrollArea', 'Popover', 'CloseButton', ...input, 'Combobox'] as const
const window = ['ScrollArea', 'Paper', 'CloseButton', 'Overlay', 'ModalBase'] as const

/**
 * The sheets that a component of the library draws itself with, in their order; those of the shell (styles/mantine.ts)
 * are there anyway. They come with the scripts that use the component.
 */
export const componentStyles: Readonly<Record<string, readonly string[]>> = {
  ActionIcon: [],
  ActionIconGroup: [],
  Autocomplete: dropdown,
  Button: [],
  ButtonGroup: [],
  Checkbox: [...box, 'Checkbox', 'CheckboxIndicator'],
  CheckboxGroup: [],
  CloseButton: ['CloseButton'],
  Drawer: [...window, 'Drawer'],
  FocusTrap: [],
  Group: [],
  Loader: [],
  MantineProvider: [],
  Menu: ['ScrollArea', 'Popover', 'Overlay', 'Menu'],
  Modal: [...window, 'Modal'],
  MultiSelect: [...dropdown, 'Pill', 'PillsInput'],
  NativeSelect: [...input, 'Combobox'],
  NumberInput: [...input, 'NumberInput'],
  PasswordInput: [...input, 'PasswordInput'],
  Popover: ['Popover', 'Overlay'],
  Radio: [...box, 'Radio'],
  SegmentedControl: ['FloatingIndicator', 'SegmentedControl'],
  RadioGroup: [],
  RangeSlider: ['Slider'],
  Select: dropdown,
  Skeleton: [],
  Slider: ['Slider'],
  Switch: [...box, 'Switch'],
  TagsInput: [...dropdown, 'Pill', 'PillsInput'],
  TextInput: input,
  Textarea: input,
  Tooltip: ['Tooltip'],
  UnstyledButton: [],
  createTheme: [],
}

/** What the console's look says beside the library's own sheet. */
const partOf = (sheet: string): string => join(import.meta.dirname, `../src/styles/parts/${sheet}.css`)

/** The components that a source imports by value. */
const importedIn = (source: string): string[] =>
  [...source.matchAll(/^import \{([^}]*)\} from '@mantine\/core'$/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))

/** The lines that fetch the sheets of the components that a source imports. Throws for an unknown one. */
export const styleImports = (source: string): string =>
  [
    ...new Set(
      importedIn(source).flatMap((name) => {
        const sheets = componentStyles[name]
        if (!sheets) throw new Error(`which styles ${name} needs is not said in web/build/component-styles.ts`)
        return sheets
      }),
    ),
  ]
    .flatMap((sheet) => [`@mantine/core/styles/${sheet}.css`, ...(existsSync(partOf(sheet)) ? [partOf(sheet)] : [])])
    .map((path) => `import ${JSON.stringify(path)}\n`)
    .join('')

/** True for the console's own sources and the screens of modules, tests left out. */
export const drawsConsole = (id: string): boolean =>
  /\/(web\/src|modules\/[\w-]+\/web)\/.*\.tsx?$/.test(id) && !/\.test\.tsx?$/.test(id)

/** Brings each component's styles with the first script that draws it, instead of all of them with the shell. */
export const componentStylesPlugin = (): Plugin => ({
  name: 'tollgate-component-styles',
  enforce: 'pre',
  transform: (code, id) => {
    if (!drawsConsole(id)) return undefined
    const lines = styleImports(code)
    return lines === '' ? undefined : { code: lines.replaceAll('\n', ';') + code, map: null }
  },
})
