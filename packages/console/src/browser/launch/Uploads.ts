import { failureOf, failureOfRefusal } from "../Failure.ts"
import { read, registry, uploads } from "../Registry.ts"
import type { Details } from "./Draft.ts"
import { checkImage } from "./ImageFile.ts"
import { issuesOf } from "./Issues.ts"
import { changeDraft, editDraft, launchShown, show } from "./LaunchStore.ts"

/** Uploads an image, unless it is refused already here. */
export const chooseImage = async (file: File): Promise<void> => {
  if (launchShown().activity !== undefined) return
  show({ activity: "checking", imageRefusal: undefined, failure: undefined })
  try {
    const checked = await checkImage(file)
    if (checked.refusal !== undefined) return show({ imageRefusal: checked.refusal })
    show({ activity: "uploading" })
    const { data } = await read(uploads.ipfs.uploadImage({ body: { image: file, fileName: file.name.slice(0, 200) } }))
    const { cid, contentType, imageUri, size } = data
    const { preview } = checked
    editDraft({
      picture: { uri: imageUri, cid, contentType, size, fileSize: file.size, preview },
      metadataUri: null,
    })
  } catch (error) {
    show({ imageRefusal: `The image was not uploaded: ${failureOf(error).message}. Choose it again to try again` })
  } finally {
    show({ activity: undefined })
  }
}

export const removeImage = (): void => editDraft({ picture: null, metadataUri: null })

export const changeDetails = (differences: Partial<Details>): void => {
  const { draft, issues } = launchShown()
  const rest = Object.fromEntries(Object.entries(issues).filter(([field]) => !(field in differences) && field !== ""))
  show({ issues: rest })
  editDraft({ details: { ...draft.details, ...differences }, metadataUri: null })
}

/** The details as they are sent: absent where nothing was entered. */
export const sentDetails = () => {
  const { details, picture } = launchShown().draft
  const { name, symbol, ...others } = details
  const given = Object.entries(others).filter(([, text]) => text.trim() !== "")
  return {
    ...{ name: name.trim(), symbol: symbol.trim() },
    ...(Object.fromEntries(given.map(([field, text]) => [field, text.trim()])) as Partial<typeof others>),
    ...(picture !== null && { imageUri: picture.uri }),
  }
}

/** Uploads the metadata document, unless the one of these details is there. The same details give the same document. */
export const storeMetadata = async (): Promise<string | undefined> => {
  const { details, metadataUri, picture } = launchShown().draft
  if (metadataUri !== null) return metadataUri
  show({ activity: "saving" })
  const answer = await registry.ipfs.uploadMetadata({ body: sentDetails() })
  if (!answer.success) {
    const issues = issuesOf(answer)
    show(issues === undefined ? { failure: failureOfRefusal(answer) } : { issues })
    return undefined
  }
  const now = launchShown().draft
  if (now.details !== details || now.picture !== picture) {
    show({ notice: "Something was changed while it was stored: store it again" })
    return undefined
  }
  changeDraft({ metadataUri: answer.data.metadataUri })
  return answer.data.metadataUri
}

/** Uploads the metadata document when the user asks for it. */
export const saveMetadata = async (): Promise<void> => {
  if (launchShown().activity !== undefined) return
  show({ issues: {}, failure: undefined, notice: undefined, activity: "saving" })
  try {
    await storeMetadata()
  } catch (error) {
    show({ failure: failureOf(error) })
  } finally {
    show({ activity: undefined })
  }
}
