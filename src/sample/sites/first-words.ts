/** First words of the invented names. No word followed by a topic's word reads like another such pair. */
export const FIRST_WORDS: readonly string[] = `
acorn agate alder alpine amber anchor apricot arbor arctic aspen aster atlas auburn aurora autumn azure
badger balsam bamboo banyan basalt beacon beech bellflower birch bison bluebird bluff bobcat bonfire boulder
bramble breeze bright brook buckeye burrow buttercup cactus calm canyon cardinal carmine cascade cedar
cello chalk chestnut cinder cinnamon citrus clay clear cliff clover cobalt comet compass conifer copper
coral cordial cotton cove coyote cranberry crane crater crescent crimson crystal curlew cypress daffodil
dahlia daisy damson dapple dawn deep delta desert dewdrop diamond dogwood dolphin dove driftwood dune dusky
eager earnest east ebony eider elder elm ember emerald ermine evergreen fable falcon fallow fathom feather
fennel fern field finch firefly firth flint flora foothill forest forge fossil fountain foxglove fresh
frost gable garnet gazelle gentle geyser ginger glacier glade glen golden goldfinch gorse granite gravel
green grove gull harbor harvest hawthorn hazel heath heather hedge heron hickory highland hollow holly
honest honey horizon hushed iceberg indigo inland iris iron island ivory ivy jade jasper jolly juniper
kestrel keystone kindly kingfisher kite lagoon lantern lapis larch lark laurel lavender leafy lemon lilac
lime linden linnet lively loam lotus lucid lunar lupin lynx magnolia mallow maple marble marigold marina
marlin marsh marten meadow mellow merlin mesa midland mild mint misty mistral monarch moonlit moor mosaic
mossy mulberry myrtle narrow neat nectar nettle nimble noble north nutmeg oaken oasis ocean ochre olive
onyx opal orchard orchid oriole osprey otter outer owl oxbow paddock paper papaya pearl pebble pecan peony
pepper petal pewter pheasant pilgrim pine pioneer plain plover plum polar pollen pond poplar poppy prairie
primrose prism proud puffin pumice quail quartz quick quiet quince rapid raspberry raven redwood reed reef
ridge river robin rocky rosemary rowan ruby russet rustic saffron sage salmon sandstone sapphire savanna
scarlet sea sequoia shady shale shingle shoal sienna sierra silver simple skylark slate snowdrop solar
solid sorrel south sparrow spring spruce starling steady stellar still stone stork summit sunbeam sunny
swallow sycamore tamarind tangerine teal tern thicket thistle thrush thyme tidal timber topaz torrent
trusted tulip tundra turquoise twilight umber upland upper valley vanilla velvet verdant vermilion vine
violet vivid walnut warm waxwing west wheat whisper wild willow winter wisteria wood wren yarrow yellow
yew zephyr zinc zinnia`
  .trim()
  .split(/\s+/);
