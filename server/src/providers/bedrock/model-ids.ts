import { ownMember } from '@tollgate/contract/own-member'

/** Prefix of an inference profile: the geography that it serves. */
type Geography = 'us' | 'us-gov' | 'eu' | 'apac' | 'jp' | 'au' | 'global'

interface HostedModel {
  readonly id: string
  readonly profiles: readonly Geography[]
}

const threeRegions = ['us', 'eu', 'apac'] as const

/**
 * Models whose id follows no rule or that have other profiles than the current ones (platform.claude.com; Claude on Amazon
 * Bedrock).
 */
const exceptions: Readonly<Record<string, HostedModel>> = {
  'claude-instant-1.2': { id: 'anthropic.claude-instant-v1', profiles: [] },
  'claude-2.0': { id: 'anthropic.claude-v2', profiles: [] },
  'claude-2.1': { id: 'anthropic.claude-v2:1', profiles: [] },
  'claude-3-sonnet-20240229': { id: 'anthropic.claude-3-sonnet-20240229-v1:0', profiles: threeRegions },
  'claude-3-opus-20240229': { id: 'anthropic.claude-3-opus-20240229-v1:0', profiles: ['us'] },
  'claude-3-haiku-20240307': { id: 'anthropic.claude-3-haiku-20240307-v1:0', profiles: threeRegions },
  'claude-3-5-sonnet-20240620': { id: 'anthropic.claude-3-5-sonnet-20240620-v1:0', profiles: threeRegions },
  'claude-3-5-sonnet-20241022': { id: 'anthropic.claude-3-5-sonnet-20241022-v2:0', profiles: ['us', 'apac'] },
  'claude-3-5-haiku-20241022': { id: 'anthropic.claude-3-5-haiku-20241022-v1:0', profiles: ['us'] },
  'claude-3-7-sonnet-20250219': { id: 'anthropic.claude-3-7-sonnet-20250219-v1:0', profiles: threeRegions },
  'claude-opus-4-20250514': { id: 'anthropic.claude-opus-4-20250514-v1:0', profiles: ['us'] },
  'claude-opus-4-1-20250805': { id: 'anthropic.claude-opus-4-1-20250805-v1:0', profiles: ['us'] },
  'claude-sonnet-4-20250514': {
    id: 'anthropic.claude-sonnet-4-20250514-v1:0',
    profiles: ['us', 'eu', 'apac', 'global'],
  },
  'claude-opus-4-5-20251101': { id: 'anthropic.claude-opus-4-5-20251101-v1:0', profiles: ['us', 'eu', 'global'] },
  'claude-opus-4-6': { id: 'anthropic.claude-opus-4-6-v1', profiles: ['us', 'eu', 'jp', 'au', 'global'] },
}

const currentProfiles: readonly Geography[] = ['us', 'eu', 'jp', 'au', 'global']

/**
 * Ids of dated names end in a version; since Claude 4.6 they equal Anthropic's names (platform.claude.com, model ids and
 * versions).
 */
const byRule = (name: string): HostedModel | undefined => {
  if (!name.startsWith('claude-')) return undefined
  return { id: /-\d{8}$/.test(name) ? `anthropic.${name}-v1:0` : `anthropic.${name}`, profiles: currentProfiles }
}

/** Geographies whose profiles a region can call, the nearest first. */
const geographiesOf = (region: string): readonly Geography[] => {
  if (region.startsWith('us-gov-')) return ['us-gov']
  if (region.startsWith('us-')) return ['us']
  if (region.startsWith('eu-')) return ['eu']
  if (/^ap-northeast-[13]$/.test(region)) return ['jp', 'apac', 'global']
  if (/^ap-southeast-[24]$/.test(region)) return ['au', 'apac', 'global']
  return region.startsWith('ap-') ? ['apac', 'global'] : ['global']
}

/**
 * The model's id at Bedrock in a region. Anthropic's names become the id of the nearest inference profile, without which newer
 * models cannot be called. Ids, profiles and ARNs of Bedrock stay as they are.
 */
export const bedrockModel = (name: string, region: string): string => {
  const hosted = ownMember(exceptions, name) ?? byRule(name)
  if (hosted === undefined) return name
  const near = geographiesOf(region).find((geography) => hosted.profiles.includes(geography))
  return near === undefined ? hosted.id : `${near}.${hosted.id}`
}

/** True for names of Claude. Application profiles do not show their model, so they are called through Converse. */
export const isClaude = (model: string): boolean => /^claude-|anthropic\.claude/.test(model)
