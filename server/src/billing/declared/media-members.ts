import type { DeclaredMembers, MediaDialect } from './meanings.ts'

/** Usage members of answers without a conversation, if they differ from those of chats. */
export const mediaMembers: Readonly<Record<MediaDialect, readonly DeclaredMembers[]>> = {
  predict: [
    {
      by: 'Vertex AI, by its call `predict`',
      members: {
        'statistics.token_count': 'billed as input',
        'statistics.truncated': 'informative',
        // Models that are sold by characters are not offered any more.
        'metadata.billableCharacterCount': 'informative',
      },
    },
  ],
  titan: [
    {
      by: 'Titan and Nova at Bedrock, whose answers have no object for usage',
      members: { inputTextTokenCount: 'billed as input' },
    },
  ],
  sound: [
    {
      by: 'MiniMax (`extra_info`)',
      members: {
        // The text of the request is counted: it is known before, and the hold is made by it.
        usage_characters: 'part of the characters of the request',
        word_count: 'informative',
        audio_length: 'informative',
        audio_sample_rate: 'informative',
        audio_size: 'informative',
        audio_format: 'informative',
        audio_channel: 'informative',
        bitrate: 'informative',
        invisible_character_ratio: 'informative',
      },
    },
    {
      by: 'Workers AI (`transcription_info`)',
      members: {
        duration: 'billed as duration',
        duration_after_vad: 'part of duration',
        language: 'informative',
        language_probability: 'informative',
      },
    },
  ],
  drawn: [
    {
      by: 'MiniMax (`metadata`)',
      members: { success_count: 'part of the pictures', failed_count: 'informative' },
    },
  ],
}
