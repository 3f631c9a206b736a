import { ownMember } from '@tollgate/contract/own-member'

/** Media types by the names that clients write beside the registered ones (iana.org/assignments/media-types). */
const registered: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'application/x-pdf': 'application/pdf',
}

/** The registered name of a media type; that of a picture without parameters. */
export const registeredType = (mediaType: string): string => {
  const [bare = mediaType] = mediaType.split(';', 1)
  const name = bare.trim().toLowerCase()
  return ownMember(registered, name) ?? (name.startsWith('image/') ? name : mediaType)
}

const usual = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Types of pictures that the models of a maker read. */
export const pictureTypes = {
  /** platform.claude.com/docs/en/build-with-claude/vision */
  claude: new Set(usual),
  /** developers.openai.com/api/docs/guides/images-vision */
  openai: new Set(usual),
  /** docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html */
  converse: new Set(usual),
  /** ai.google.dev/gemini-api/docs/image-understanding */
  gemini: new Set(['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif']),
} as const satisfies Readonly<Record<string, ReadonlySet<string>>>

/** Drawings are text: no model reads them as pictures. */
export const isDrawing = (mediaType: string): boolean => mediaType === 'image/svg+xml'
