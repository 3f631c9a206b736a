import { type OptionKey, optionKeys } from '@tollgate/contract'
import { Document } from 'yaml'
import { formOf, shortForm } from './channel-fields.ts'
import { optionOf, sectionOf, writtenValue } from './option-values.ts'
import { createVariableNames } from './secret-references.ts'
import { type OptionSection, optionSections, siteFileVersion } from './site-file.ts'
import { labelsOf, type SiteState } from './site-state.ts'
import { entryOf, plainOf } from './virtual-model-fields.ts'

type Variables = ReturnType<typeof createVariableNames>

const optionsIn = (section: OptionSection, site: SiteState, variable: Variables): Record<string, unknown> => {
  const valueIn = (key: OptionKey): unknown => {
    const option = optionOf(key)
    if (option.secret) return site.secrets.has(key) ? `\${${variable('TOLLGATE', key)}}` : undefined
    const text = site.options.get(key)
    return text === undefined || text === option.print(option.fallback) ? undefined : writtenValue(option, text)
  }
  const keys = optionKeys.filter((key) => sectionOf(key) === section && !optionOf(key).hidden)
  return Object.fromEntries(keys.map((key) => [key, valueIn(key)]).filter(([, value]) => value !== undefined))
}

const cardsIn = ({ cards }: SiteState): Record<string, unknown> =>
  Object.fromEntries(
    cards
      .filter(({ edited }) => edited)
      .map(({ model, edited: _edited, retires: _retires, replaced_by: _by, endpoints: _endpoints, ...card }) => [
        model,
        card,
      ]),
  )

/** The site as the text of a site file: what has its default is left out, and secrets are names of variables. */
export const exportSite = (site: SiteState): string => {
  const variable = createVariableNames()
  const groupsOfOptions = optionSections.map((section) => [section, optionsIn(section, site, variable)] as const)
  const labels = new Map([...labelsOf(site.channels)].map(([label, { id }]) => [id, label]))
  const channels = site.channels.map((channel) => {
    const { name, type, ...rest } = shortForm(formOf(channel, site.types))
    const key = `\${${variable('TOLLGATE_CHANNEL', labels.get(channel.id) ?? channel.name)}}`
    return { name, type, key, ...rest }
  })
  const models = cardsIn(site)
  const document = new Document({
    version: siteFileVersion,
    ...Object.fromEntries(groupsOfOptions.filter(([, values]) => Object.keys(values).length > 0)),
    ...(channels.length > 0 ? { channels } : {}),
    ...(Object.keys(models).length > 0 ? { models } : {}),
    ...(site.virtualModels.length > 0
      ? { virtual_models: site.virtualModels.map((model) => entryOf(plainOf(model), (id) => labels.get(id))) }
      : {}),
  })
  document.commentBefore = ' A site of Tollgate: `tollgate apply <this file>` makes a site like this.'
  return document.toString({ lineWidth: 0 })
}
