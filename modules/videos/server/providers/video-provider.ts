import type { JsonObject } from '#server/dialects/conversation/json.ts'
import type { SigningTools } from '#server/providers/provider.ts'
import type { RelayChannel } from '#server/relay/ports.ts'

/** A picture that a video begins with. */
export type VideoImage =
  | { readonly url: string }
  /** A file in an account of OpenAI's shape. */
  | { readonly fileId: string }
  | { readonly bytes: Buffer; readonly type: string; readonly name: string }

/** A video to make, whatever shape its client asked in. */
export interface VideoRequest {
  readonly prompt: string
  readonly seconds?: number | undefined
  /** `1280x720` */
  readonly size?: string | undefined
  /** `720p` */
  readonly resolution?: string | undefined
  /** `16:9` */
  readonly ratio?: string | undefined
  readonly image?: VideoImage | undefined
  readonly negativePrompt?: string | undefined
  readonly seed?: number | undefined
  readonly sound?: boolean | undefined
  readonly quality?: string | undefined
  /** The provider's id of the video that it changes. */
  readonly remixOf?: string | undefined
}

/** The video that a provider is asked for: the request with the provider's defaults. */
export interface VideoSpec {
  readonly seconds: number
  /** As the client reads it; empty where it is not known. */
  readonly size: string
  /** Names under which a price list may have a price of its own, the most specific first. */
  readonly variants: readonly string[]
  /** Expected tokens, of a provider that sells videos by them. */
  readonly tokens?: number
}

/** The account that is asked: a channel, and one of its keys. */
export interface VideoAccount {
  readonly channel: Pick<RelayChannel, 'baseUrl' | 'organization' | 'other'>
  readonly key: string
  /** Name of the model before the channel's mapping; absent once a video has begun. */
  readonly origin?: string
}

/** A request to a provider, below the address of its channel. */
export interface ProviderAsk {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** Address of another service of the same provider, which gets the same credentials. */
  readonly root?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: { readonly type: string; readonly bytes: Buffer }
}

/** The state of a video at its provider. */
export type VideoLook =
  | { readonly state: 'queued' | 'in_progress'; readonly progress?: number | undefined }
  | {
      readonly state: 'completed'
      /** As the provider states it; undefined where it does not. */
      readonly seconds?: number | undefined
      readonly tokens?: number | undefined
      readonly place: VideoPlace
      /** Unix seconds. */
      readonly expiresAt?: number | undefined
    }
  | { readonly state: 'failed'; readonly code: string; readonly message: string }

/** The content of a finished video at its provider. */
export interface VideoPlace {
  readonly url?: string
  /** Address of its first frame. */
  readonly cover?: string
  readonly file?: string
  /** The bytes stand in the answer itself. */
  readonly inline?: true
}

export interface FinishedVideo {
  readonly upstreamId: string
  readonly place: VideoPlace
}

export type ProviderHeaders = Readonly<Record<string, string>>

export type VideoVariant = 'video' | 'thumbnail' | 'spritesheet'

/** How the content is fetched: with the key of the channel, or from an address that the provider states. */
export type ContentSource =
  | { readonly ask: ProviderAsk }
  | { readonly url: string }
  /** The address is asked for first. */
  | { readonly ask: ProviderAsk; readonly urlIn: (answer: JsonObject) => string | undefined }
  /** The answer holds the content as Base64, in the first member of this name. */
  | { readonly ask: ProviderAsk; readonly base64In: string }

/** A call of the provider's own API that begins a video. */
export interface NativeBegin {
  readonly path: string
  /** Member that names the model. */
  readonly model: string
  /** Every other member whose price is known; a request with any other one is refused. */
  readonly members: ReadonlySet<string>
  /** The parts of a request that its price depends on, with the defaults of the API. Throws AppError for values without a price. */
  read(body: JsonObject, model: string): VideoRequest
  /** As `idIn` of the provider. */
  idIn(answer: JsonObject): string | undefined
}

/** The provider's own API as its clients call it. */
export interface NativeApi {
  readonly begins: readonly NativeBegin[]
  /** The provider's id of the video that a path asks for, as `look` takes it; undefined for other paths. */
  lookedFor(path: string): string | undefined
}

/** One provider of videos: `create`, `look` and `content` are its API. */
export interface VideoProvider {
  readonly name: string
  /** Types of channels that speak this API. */
  readonly channelTypes: readonly number[]
  /** Models that it is for, as the provider names them; all others of its channels when absent. */
  readonly models?: RegExp
  /** Headers with the credentials of an account. Throws where its key is unusable, without the key in the message. */
  headers(account: VideoAccount, tools: SigningTools): ProviderHeaders | Promise<ProviderHeaders>
  /** Address that a path is below; that of the channel where it is absent. */
  root?(account: VideoAccount, path: string): string
  /** Answers may hold a video: long texts of them are cut when they are read for a state. */
  readonly holdsContent?: true
  spec(request: VideoRequest, model: string): VideoSpec
  /** Throws InexpressibleError for what the API has no field for. */
  create(request: VideoRequest, model: string): ProviderAsk
  /** Member of the request that names the address at which it calls when the state changes; absent where it has none. */
  readonly callback?: string
  /** True where it tries the address before it takes a video, and refuses the video where it cannot reach it. */
  readonly triesCallback?: true
  /** The provider's id in its answer to a request; undefined where there is none. */
  idIn(answer: JsonObject, request: VideoRequest): string | undefined
  look(upstreamId: string): ProviderAsk
  /** undefined for an answer that is not understood. */
  readLook(answer: JsonObject): VideoLook | undefined
  /** undefined where there is no such content. */
  content(video: FinishedVideo, variant: VideoVariant): ContentSource | undefined
  /** Calls of clients in the provider's own shape; absent where none are served. */
  readonly native?: NativeApi
  /** Deletes a finished video; absent where the API cannot. */
  remove?(upstreamId: string): ProviderAsk
}
